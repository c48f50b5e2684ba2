"""Which probe finds which bug: a mark for each probe, in the order of PROBES. ● wrong values, ○ an error, · nothing."""

TABLE = """
split by view only                       ··●●●·●·●●···●·●
interleaved split                        ······●·●·······
split and merge by view                  ··●●●·●·●●●··●··
L and H not exchanged                    ○···············
B and L exchanged                        ○···············
queries from the context                 ·○●●●···········
queries from W_K                         ○·······●·····●·
projection weight not transposed         ○···○···●·······
keys from x                              ·○●●············
keys from W_Q                            ○·······●·····●·
keys detached                            ··············●·
keys of the first call kept              ···●····●··○○○○○
values from x                            ·○○···●··●······
W_V unused                               ○···○·●●●·····●·
values are the keys                      ○·····●●●·····●·
queries and keys swapped                 ○○●●●········●··
keys and values of a context swapped     ○·····●●●····●··
batch and length swapped                 ●○●●●·●··●●·●○··
grouped heads tiled                      ···●···●········
W_Q up to the row E                      ○···○···········
W_K from the row E                       ○···○···········
W_V with as many rows as W_K             ○···············
values as wide as keys                   ○···············
D and Dv swapped                         ○···············
keys not transposed                      ○···············
.T on four axes                          ○···············
K reshaped instead of transposed         ···●●····●···●·●
Q reshaped                               ··●·●········●·●
K times Q                                ·○●●●········●··
einsum without an arrow                  ●●·○●·●○●●··●···
heads summed in the scores               ○···············
keys without an axis of heads            ○···············
keys of length 1                         ····●···········
cosine, not the product                  ····●···········
scores centred over the batch            ···●●····●··●···
no scale                                 ····●···········
scale by the root of E                   ····●···········
scale by the root of S                   ····●········●··
scale by the root of Dv                  ····●···········
scale by D                               ····●···········
multiplied by the root of D              ····●···········
scale 0 read as no scale                 ····●···········
scale after softmax                      ····●●··········
scale by the root of E / H               ····●···········
scale ignored                            ····●···········
top-left causal mask                     ·●···········●··
diagonal hidden                          ·●···●···●······
one later key visible                    ·········●●··●·●
triangle upside down                     ·●·······●●··●·●
padding ignored                          ·········●●·····
later keys visible                       ·········●●··●·●
rules combined with or                   ·········●●··●·●
padding inverted                         ·●···●···●●···●·
wrong end padded                         ·········●●··●··
padding on the query axis                ·········●······
mask without an axis of heads            ○○···○···○○○·○○○
inverted mask                            ··●●●●●●●●●●●●●·
a finite number for −∞                   ···········○····
scores times mask                        ·········●···●·●
mask of 1 and 0 added                    ·········●···●·●
mask ignored                             ·········●●··●·●
mask after softmax                       ·····●···●···●·●
an empty mask row not zeroed             ··········●·····
softmax over queries                     ··●·●●···●●··●·●
softmax over heads                       ···●●●··●●●●·●●·
softmax over the batch                   ···●●●···●●●●●●·
softmax over the whole matrix            ··●·●●···●···●·●
no softmax                               ····●●···●●●·●●·
sigmoid                                  ····●●··········
logarithms of weights                    ···●●●···●●●·●●·
wrong sign                               ····●●···●●●·●●·
hard attention                           ·●·●●····●····●·
no maximum subtracted                    ···········●····
one maximum for all rows                 ··········●●····
maximum of each column                   ··●·●····●●●·●·●
powers of 2                              ····●···········
sum in half precision                    ···········●····
weights transposed                       ·○○···●●·●··●●·●
the first head's weights for all         ······●●········
weights detached                         ··············●·
dropout never on                         ············●···
dropout not rescaled                     ············●···
scores used as weights                   ······●●·●●·●●·●
values of all heads                      ······●●●···●···
values of all sequences                  ······●●·●··●···
sequences summed                         ○···············
every value with the same weight         ······●●·●··●●·●
mean instead of sum                      ······●●····●●··
dropout always on                        ············●···
merge without the transpose              ··●···●·●●●··●·●
view after the transpose                 ○···············
interleaved merge                        ······●·●·······
heads in reverse order                   ······●·········
mean of the heads                        ······●·●·······
weight not transposed                    ○···○···●·······
slices by view                           ········●·······
heads averaged                           ······●·········
one slice for all heads                  ······●·●·······
the last head alone                      ······●·●·······
no W_O                                   ●·······●·····●·
residual inside                          ······●···●·····
residual and LayerNorm inside            ······●···●·●···
input changed in place                   ···●··●●●●○●●·○○
read, then appended                      ○············○··
only the new keys and values             ·············○··
cached keys returned as values           ○············●··
length not counted                       ·············○··
cached values as wide as keys            ○···············
positions start at 0 again               ·············●··
positions one too high                   ·············○··
turned before the split                  ·············●··
values turned too                        ·············●··
only queries turned                      ·············●··
turned from 0 again                      ·············●··
no padding mask for one token            ·············●··
gradients not cleared                    ··············●·
no backward                              ··············●·
gradients cleared too early              ··············●·
a step uphill                            ··············●·
not all parameters                       ··············●·
targets not shifted                      ···············●
targets shifted the other way            ···············●
"""

FOUND = {line[:40].strip(): line[41:] for line in TABLE.strip("\n").splitlines()}
