"""How `attn.check.attention` examines attention that somebody else wrote.

`calling` finds out how to call it, `roles` which parameter is which, `flags` what its constructor switches, `cases` what to ask;
`definition` says what the result must be, and with one step of `mistakes` in it, what each known mistake would give; `behaviour`
looks at what no single result shows (dropout, gradients, state); `lines` finds the line of the reader's code.
"""
