"""Asks an implementation one question after the other, until an answer is wrong."""

import copy
from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor, nn

from attn.check.own.behaviour import gradients_missing, set_dropout, training_complaint
from attn.check.own.calling import LAYOUTS, MASKS, Answer, Form, answer_of, seed
from attn.check.own.cases import Cases, lengths
from attn.check.own.definition import Case, Sizes, same
from attn.check.own.explain import Explainer, apart
from attn.check.own.half import in_half
from attn.check.own.mistakes import mistake
from attn.check.own.roles import HEADS, Roles, attribute, candidates, given_roles, tensors_of, width_of
from attn.check.own.symptoms import unnamed
from attn.check.own.verdicts import AttentionVerdict, Setting, Wrong
from attn.shapes import ShapeError

__all__ = ["Examination"]


class Examination(Explainer):
    """One run of `attn.check.attention`."""

    @torch.no_grad()
    def verdict(self) -> AttentionVerdict:
        try:
            self._steady_and_plain()
            if self.setting is None:
                message, possible = unnamed(self.first, self.cases, self.sizes, self.always)
                return replace(self._verdict(False, message), possible=possible)
            self._lengths()
            self._masks()
            self._causal()
            self._cache()
            self._empty_rows()
            self._groups()
            self._gradients()
            self._large()
            self._training()
            self._half()
        except Wrong as end:
            return end.verdict
        return self._passed()

    # How it is called, and the plain call -------------------------------------------------------------------------------------

    def _steady_and_plain(self) -> None:
        self.roles = self._candidates()
        self.sizes = self._sizes()
        options, sizes = self.options, self.sizes
        has_matrices = bool(self.roles) or (self.module is not None and any(t.dim() > 1 for t in self.module.parameters()))
        device = next((t.device for t in tensors_of(self.module).values()), None) if self.module else None
        answer = answer_of(self.target, has_matrices=has_matrices, layout="", H=sizes.H, device=device)
        self.kind = "heads" if answer.kind == "heads" else "layer"
        if self.kind == "layer" and self.module is None and not self.roles:
            raise TypeError(
                "a function of x needs the weights that it computes with: attention(f, weights={'q': W_Q, 'k': W_K, 'v': W_V, "
                "'o': W_O}, H=3), each (out, in) as nn.Linear stores it. A function of q, k and v needs none."
            )
        L, S = lengths((options.B, sizes.E, sizes.H, sizes.G, sizes.D), options.L, options.S)
        self.cases = Cases(self.kind, sizes, options.B, L, S)
        self.form: Form | None = None
        case = self.cases.plain()
        settings: list[tuple[Setting, Tensor]] = []
        errors: list[tuple[Answer, Exception]] = []
        may_be_always = "causal" not in answer.names and options.causal is not False
        always = (False, True) if may_be_always and options.causal is None else (may_be_always and options.causal is True,)
        for layout in self._layouts(answer):
            asked = replace(answer, layout=layout, H=sizes.H)
            try:
                got = self._steady(asked, case)
            except Wrong:
                raise
            except Exception as error:
                errors.append((asked, error))
                continue
            if self.kind == "layer" and not self.roles:
                self.setting, self.first, self.always = None, asked, always
                return
            readings: list[Roles | None] = [*self.roles] or [None]
            here = [(Setting(asked, roles, causal), got) for roles in readings for causal in always]
            accepted = [setting for setting, _ in here if same(got, self._right(setting, case))]
            if accepted:
                self._accept(self._also_right_with_a_context(accepted, case, here))
                return
            settings += here
        if errors and (self.kind == "layer" or not settings):  # a layer takes either layout, or says why not
            raise self._raised(case, *errors[0])
        self._explain(case, settings)

    def _also_right_with_a_context(self, accepted: list[Setting], case: Case, settings: list[tuple[Setting, Tensor]]) -> Setting:
        """Of the settings that fit the plain call, the first that also fits another number of keys."""
        answer = accepted[0].answer
        if len(settings) == 1 or (answer.kind == "layer" and "context" not in answer.names):
            return accepted[0]
        crossed = self.cases.cross()
        try:
            got = answer.ask(crossed)
        except Exception:  # it is asked again, and reported
            return accepted[0]
        if both := [setting for setting in accepted if same(got, self._right(setting, crossed))]:
            return both[0]
        if other := [pair for pair in settings if same(got, self._right(pair[0], crossed))]:
            self._explain(case, other)
        return accepted[0]

    def _candidates(self) -> list[Roles]:
        """What the weights may be."""
        options = self.options
        given = {role: value for role, value in options.weights.items() if not isinstance(value, str)}
        if given:
            return [given_roles(given, options.H, options.G)]
        if self.module is None:
            return []
        return candidates(self.module, options.weights, options.E, options.H, options.G)

    def _sizes(self) -> Sizes:
        if self.roles:
            return self.roles[0].sizes
        H = self.options.H or (self.module and attribute(self.module, HEADS)) or 6
        G = self.options.G or H
        E = self.options.E or (self.module and width_of(self.module)) or 4 * H
        if E % H:
            raise ShapeError(f"E = {E} is not a multiple of H = {H}: say what they are, E= and H=, or make it with sizes that fit.")
        return Sizes(E, H, G, E // H, E // H)

    def _layouts(self, answer: Answer) -> Sequence[str]:
        allowed = LAYOUTS[self.kind]
        if self.options.layout:
            if self.options.layout not in allowed:
                raise ValueError(f"layout is {self.options.layout!r}; for this call it is one of {', '.join(allowed)}.")
            return (self.options.layout,)
        if self.kind == "layer" and getattr(self.module, "batch_first", True) is False:
            return allowed[::-1]
        return allowed

    def _steady(self, answer: Answer, case: Case) -> Tensor:
        """The result of the plain call; three calls must agree, and leave their inputs as they are."""
        other = self.cases.other()
        given, named = answer.arguments(case) if answer.layout != "LD" else ((), {})
        before = [tensor.clone() for tensor in given]
        if given:
            seed(1)
            answer.returned(*given, **named)
        if any(not torch.equal(one, two) for one, two in zip(given, before, strict=True)):
            self._end(mistake("input changed in place"), case, "The input was compared before and after.", answer)
        first = self._seeded(answer, case, 1)
        self._seeded(answer, other, 1)
        second = self._seeded(answer, case, 1)
        if not same(second, first):
            self._end(mistake("state kept"), case, f"The two results differ by up to {apart(second, first)}.", answer)
        third = self._seeded(answer, case, 2)
        if not same(third, first):
            self._end(mistake("dropout in eval"), case, f"They differ by up to {apart(third, first)}.", answer)
        return first

    def _seeded(self, answer: Answer, case: Case, number: int) -> Tensor:
        seed(number)
        return answer.ask(case)

    def _accept(self, setting: Setting) -> None:
        self.setting = setting
        self.checked.append("no mask")
        self.found["layout"] = {
            "BLE": "x (B, L, E)",
            "LBE": "x (L, B, E), batch second: if your x is (B, L, E), batch and length are swapped",
            "BHLD": "(B, H, L, D)",
            "BLHD": "(B, L, H, D)",
            "LBHD": "(L, B, H, D)",
            "BLD": "(B·H, L, D)",
            "LD": "(L, D), one head",
        }[setting.answer.layout]
        if setting.roles:
            self.found["weights"] = setting.roles.described() + (f" ({setting.roles.note})" if setting.roles.note else "")
            self.sizes = setting.roles.sizes
            self.cases.sizes = self.sizes
        if setting.always_causal:
            self.found["causal"] = "always"
        elif "causal" in setting.answer.names:
            self.found["causal"] = f"argument {setting.answer.names['causal']}"

    # One question after the other -----------------------------------------------------------------------------------------------

    def _lengths(self) -> None:
        if self._takes_context():
            self._must("S ≠ L", self.cases.cross())
        else:
            self.unchecked.append("S ≠ L (the call takes no context)")

    def _masks(self) -> None:
        setting = self._setting()
        if "mask" not in setting.answer.names:
            self.unchecked.append("masks (the call takes none)")
            return
        meanings = [self.options.mask] if self.options.mask else list(MASKS)
        wrong: list[tuple[Case, Setting, Tensor]] = []
        errors: list[tuple[Answer, Exception]] = []
        for meaning in meanings:
            for shape in ("B1LS", "BLS", "LS", "BHLS", "B11S", "BS"):
                form = Form(meaning, shape)
                tried = replace(setting, answer=replace(setting.answer, form=form))
                case = self.cases.masked(form)
                try:
                    got = self._ask(tried, case)
                except Exception as error:
                    errors.append((tried.answer, error))
                    continue
                if same(got, self._right(tried, case)):
                    self.setting, self.form = tried, form
                    self.found["mask"] = f"argument {setting.answer.names['mask']}: {form}"
                    if meaning == "hide" and not self.options.mask:
                        self.found["mask"] += " (if True is to mean that a query may attend, it is inverted)"
                    self.checked.append("a mask")
                    if self._takes_context():
                        self._must("a mask with S ≠ L", self.cases.masked(form, self.cases.S))
                    return
                wrong.append((case, tried, got))
        if not wrong:
            raise self._raised(self.cases.masked(Form(meanings[0], "B1LS")), *errors[0])
        for case, tried, got in wrong:
            self._explain(case, [(tried, got)], last=False)
        case, tried, got = wrong[0]
        self._explain(case, [(tried, got)])

    def _causal(self) -> None:
        setting, form = self._setting(), self.form
        if isinstance(self.module, nn.MultiheadAttention):
            self.unchecked.append("is_causal (in nn.MultiheadAttention a hint that needs attn_mask, which was checked)")
            return
        if self.options.causal is False:
            self.unchecked.append("causal (declared: never)")
            return
        if "causal" not in setting.answer.names:
            if setting.always_causal and form:
                self._must("a mask, and always causal", self.cases.masked(form))
            self._flagged(setting.always_causal)
            return
        try:
            self._ask(setting, self.cases.causal())
        except Exception as error:
            if "mask" in setting.answer.names and "mask" in str(error).lower():
                self.unchecked.append(f"{setting.answer.names['causal']} without a mask (it raised {type(error).__name__})")
                return
        self._must("causal", self.cases.causal())
        if form:
            if not self._must("a mask and causal", self.cases.masked(form, causal=True), optional=form.meaning != "keep"):
                return
        if self._takes_context():
            self._must("causal with S > L", self.cases.causal(self.cases.S))

    def _flagged(self, causal: bool) -> None:
        """What the call cannot switch, and the constructor perhaps can."""
        flag, (other, _) = self._flag(), self._otherwise(not causal)
        other = f"{other[:1].lower()}{other[1:]}"
        if causal:
            self.unchecked.extend([f"without causal ({other})"] if other else [])
            return
        if flag and flag.sure and flag.value:
            other = (
                f"{flag.name} is True in the constructor, yet later tokens change earlier rows; if that is wrong, say causal=True"
            )
        self.unchecked.append(f"causal (the call takes no such argument{f'; {other}' if other else ''})")

    def _empty_rows(self) -> None:
        setting, form = self._setting(), self.form
        if form is None or form.meaning == "add" or not self.options.empty_rows:
            if form is not None:
                self.unchecked.append(
                    "queries without any key" + " (an added mask says itself what they give)" * (form.meaning == "add")
                )
            return
        case = self.cases.masked(form, empty=True)
        got = self._ask(setting, case)
        if not same(got, self._right(setting, case)):
            self._explain(case, [(setting, got)])
        self.checked.append("a query without any key")

    def _groups(self) -> None:
        setting = self._setting()
        if self.kind != "heads" or self.sizes.H != 6:
            return
        case = self.cases.grouped(3)
        more = {"enable_gqa": True} if "scaled_dot_product" in str(setting.answer.call) else {}
        try:
            got = setting.answer.ask(case, **more)
        except Exception:
            self.unchecked.append("grouped heads (3 key/value heads for 6 query heads raise an error)")
            return
        if not same(got, self._right(setting, case)):
            self._explain(case, [(setting, got)])
        self.checked.append("grouped heads")

    def _cache(self) -> None:
        setting = self._setting()
        if "cache" not in setting.answer.names:
            return
        name, causal = setting.answer.names["cache"], setting.answer.names.get("causal")
        state = self.options.cache() if self.options.cache else None
        tokens, done = self.cases.context, 0
        for L in (3, 2, 1, 1):
            S = done + L
            part = "the prompt" if not done else "the next tokens"
            what = f"For {part}, x {(self.options.B, L, self.sizes.E)} with {done} positions in the cache"
            case = Case(what, (tokens[:, done:S], tokens[:, :S]), causal=True)
            own = [setting.answer.to_own(tokens[:, done:S]).to(setting.answer.device)]
            try:
                result = setting.answer.returned(*own, **{name: state}, **({causal: True} if causal else {}))
                given_back = result[-1] if isinstance(result, tuple) and len(result) > 1 else None
                got = setting.answer.from_own(result[0] if isinstance(result, tuple) else result, case)
            except Exception as error:
                raise self._raised(case, setting.answer, error) from None
            if self.options.cache is None:
                if given_back is None or isinstance(given_back, Tensor):
                    self.unchecked.append(f"{name} (hand over what makes an empty one: cache=lambda: ...)")
                    return
                state = given_back
            if not same(got, self._right(setting, case)):
                self._explain(case, [(setting, got)])
            done = S
        self.found["cache"] = f"argument {name}"
        self.checked.append("decoding with the cache")

    def _gradients(self) -> None:
        setting = self._setting()
        if setting.answer.layout == "LD" or (setting.roles and self.module is None):
            self.unchecked.append("gradients")
            return
        plain = self.cases.plain()
        weights = self._weights(setting)
        try:
            problem = gradients_missing(setting.answer, plain, setting.roles, self.module, weights, self._definition, setting.seen)
        except Exception as error:
            end = self._raised(replace(plain, what=f"{plain.what} that needs a gradient"), setting.answer, error).verdict
            message = end.message.partition(". If it takes other sizes")[0]
            raise Wrong(replace(end, message=f"{message}. No gradient flows through NumPy or a detached tensor.")) from None
        if problem is None:
            self.checked.append("gradients")
            return
        roles, evidence = problem
        named = {"k": "k detached", "qk": "weights detached"}.get(roles)
        if named:
            self._end(mistake(named), self.cases.plain(), evidence, setting.answer)
        who = " and ".join(f"W_{role.upper()}" if self.kind == "layer" else role for role in roles)
        message = f"{self.cases.plain().what}, no right gradient reaches {who}. {evidence}"
        raise Wrong(self._verdict(False, message, fix="no detach(), .data, .item() or no_grad() between the input and y"))

    def _large(self) -> None:
        setting = self._setting()
        plain = self.cases.plain()
        big = tuple(30 * tensor for tensor in plain.inputs)
        case = replace(plain, inputs=(big[0], big[0]) if self.kind == "layer" else big, what=plain.what + ", 30 times as large")
        try:
            got = self._ask(setting, case)
        except Exception as error:
            raise self._raised(case, setting.answer, error) from None
        want = self._right(setting, case)
        if not got.isfinite().all():
            share = 1 - got.isfinite().float().mean()
            self._end(mistake("softmax without the maximum"), case, f"{share:.0%} of the result is not finite.", setting.answer)
        if not same(got, want, 0.02):
            self._explain(case, [(setting, got)])
        self.checked.append("scores in the thousands")

    def _training(self) -> None:
        setting = self._setting()
        if self.module is None or self.kind != "layer":
            return
        own = copy.deepcopy(self.module)
        if not set_dropout(own):
            self.unchecked.append("dropout (the module has none)")
            return
        answer = replace(setting.answer, call=own)
        plain = self.cases.plain()
        case = replace(plain, inputs=(plain.inputs[0][:1], plain.inputs[0][:1]), what=plain.what + " in train() at p = 0.5")
        smaller = self._with(setting, mistake("dropout not rescaled"), case)
        name, evidence = training_complaint(answer, own, case, self._right(setting, case), smaller)
        if name:
            self._end(mistake(name), case, evidence, setting.answer)
        if evidence:
            raise Wrong(self._verdict(False, f"{case.what}, {evidence}", fix="weights = F.dropout(weights, p, self.training)"))
        self.checked.append("dropout in train(), none in eval()")

    def _half(self) -> None:
        setting, declared = self._setting(), self.options.dtype is torch.float16
        plain, one = self.cases.plain(), mistake("overflow in float16")
        cases = [plain, *(replace(self.cases.other(), what=plain.what) for _ in range(3))]
        if self.kind == "layer":  # the layer of x alone
            cases = [replace(case, inputs=(case.inputs[0],) * 2) for case in cases]
        found = in_half(setting.answer, self.module, cases, self._weights(setting), self.sizes, self._definition, setting.seen)
        if found.untested:
            if declared:
                self.unchecked.append(f"float16 ({found.untested})")
        elif not found.wrong:
            self.checked.append("large products in float16")
        elif not declared:
            says = one.says.partition(", and")[0].removeprefix("in float16 ")
            self.unchecked.append(f"float16, where {says}: write {one.fix} if you use it" if found.overflow else "float16")
        elif found.overflow:
            self._end(one, plain, found.wrong, setting.answer)
        else:
            raise Wrong(self._verdict(False, f"{plain.what} in float16, the values are wrong. {found.wrong}"))

    def _ask(self, setting: Setting, case: Case) -> Tensor:
        return setting.answer.ask(case)

    def _takes_context(self) -> bool:
        answer = self._setting().answer
        return answer.kind != "layer" or "context" in answer.names

    def _must(self, what: str, case: Case, *, optional: bool = False) -> bool:
        """The result for this case must be right; optional: an error says that the case is not meant to be asked."""
        setting = self._setting()
        try:
            got = self._ask(setting, case)
        except Exception as error:
            if optional:
                self.unchecked.append(f"{what} (it raised {type(error).__name__})")
                return False
            raise self._raised(case, setting.answer, error) from None
        if not same(got, self._right(setting, case)):
            self._explain(case, [(setting, got)])
        self.checked.append(what)
        return True
