"""What a wrong result means: the known mistakes that give the same numbers, and the verdict in words."""

import linecache
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from attn.check.own.behaviour import prepare
from attn.check.own.calling import MASKS, Answer, Exit, Form
from attn.check.own.cases import Cases
from attn.check.own.definition import Case, Definition, Sizes, Weights, right, same
from attn.check.own.flags import Flag, flag_of
from attn.check.own.lines import line_of
from attn.check.own.mistakes import MISTAKES, NOT_TURNED, Mistake, finite, mistake, turned_otherwise
from attn.check.own.roles import tensors_of
from attn.check.own.turns import PAIRS, bases_near
from attn.check.own.verdicts import AttentionVerdict, Options, Setting, Wrong

__all__ = ["Explainer", "apart"]


class Explainer:
    """What an examination knows of an implementation, and the verdicts that follow from it."""

    def __init__(self, target: Callable[..., Any], options: Options) -> None:
        self.options = options
        self.given = target
        self.module = prepare(target) if isinstance(target, nn.Module) else None
        self.target: Callable[..., Any] = self.module or target
        self.checked: list[str] = []
        self.unchecked: list[str] = []
        self.found: dict[str, str] = {}
        self.setting: Setting | None = None
        self.sizes: Sizes
        self.cases: Cases
        self.kind: str
        self._read: dict[int, Weights] = {}  # the weights of each `Roles`, which live as long as the examination
        self._asked: tuple[Setting, Case, Tensor] | None = None  # what `_right` was asked last: for one case it is asked repeatedly

    def _setting(self) -> Setting:
        assert self.setting is not None
        return self.setting

    def _flag(self) -> Flag | None:
        """The constructor's switch for causal attention, where the call has none."""
        return flag_of(self.given, self.sizes, max(self.cases.S, 16))

    def _otherwise(self, causal: bool) -> tuple[str, str]:
        """A sentence on the constructor's switch, if this object has it set the other way, and the call that checks this way."""
        flag = self._flag()
        if flag is None or flag.value is causal:
            return "", ""
        perhaps = "" if flag.sure else ", perhaps for this"
        now = f", which is {flag.value} here" if flag.value is not None else ""
        call = f"attn.check.attention({flag.make[causal]}, causal={causal})"
        return f"The constructor takes {flag.name}{perhaps}{now}; with {causal}: {call}", call

    def _weights(self, setting: Setting) -> Weights | None:
        roles = setting.roles
        if roles is None:
            return None
        if id(roles) not in self._read:
            tensors = tensors_of(self.module) if self.module is not None else {"": torch.zeros(0)}
            weights = {
                role: [None if t is None else t.detach().double().cpu() for t in pair] for role, pair in roles.read(tensors).items()
            }
            self._read[id(roles)] = {role: (weight, bias) for role, (weight, bias) in weights.items() if weight is not None}
        return self._read[id(roles)]

    def _definition(self, weights: Weights | None, **steps: Callable[..., Any]) -> Definition:
        return Definition(self.sizes, weights, self.options.rotary, **steps)

    def _right(self, setting: Setting, case: Case) -> Tensor:
        if self._asked is None or self._asked[0] is not setting or self._asked[1] is not case:
            sizes = setting.roles.sizes if setting.roles else self.sizes
            self._asked = (setting, case, right(sizes, self._weights(setting), setting.seen(case), self.options.rotary))
        return self._asked[2]

    def _explain(self, case: Case, results: Sequence[tuple[Setting, Tensor]], *, last: bool = True) -> None:
        """End with the mistakes that give these numbers; without any, if this is the last attempt, with what is wrong."""
        explained = [
            (setting, spelled, got)
            for setting, got in results
            for one in MISTAKES
            if one.steps and (spelled := self._spelled(setting, one, case, got))
        ]
        if not explained and last:
            explained = self._positions(case, results)
        if not explained:
            if last:
                raise Wrong(self._unknown(case, *results[0]))
            return
        explained = self._confirmed(explained)
        by_name = {one.name: (setting, one, got) for setting, one, got in reversed(explained)}
        setting, one, got = explained[0]
        differs = f"Your result {difference(got, self._right(setting, case))}"
        if len(by_name) == 1:
            away = apart(*without_nan(got, self._with(setting, one, case)))
            self._end(one, case, f"{differs}. It differs from one with this mistake by up to {away}.", setting.answer)
        possible = "; ".join(f"{other.name}: {other.says}" for _, other, _ in by_name.values())
        message = f"{case.what}, something is wrong. {differs}. These give exactly your numbers: {possible}. {self._to_decide()}"
        raise Wrong(replace(self._verdict(False, message), possible=tuple(by_name)))

    def _positions(self, case: Case, results: Sequence[tuple[Setting, Tensor]]) -> list[tuple[Setting, Mistake, Tensor]]:
        """Rotary positions as explanations: declared and not there, or with another base. The base is found by a search."""
        for setting, got in results:
            if self.options.rotary is not None and self._gives(setting, NOT_TURNED, case, got):
                return [(setting, NOT_TURNED, got)]
        for pairs in PAIRS:
            for setting, got in results:
                want = self._right(setting, case)
                if got.shape != want.shape or (self.sizes if setting.roles is None else setting.roles.sizes).D % 2:
                    continue

                def away(base: float, pairs: str = pairs, setting: Setting = setting, got: Tensor = got) -> float:
                    one = turned_otherwise(pairs, base)
                    return float((got.double() - self._with(setting, one, case)).square().nan_to_num(1e9).mean())

                for base in bases_near(away):
                    if self._gives(setting, one := turned_otherwise(pairs, base), case, got):
                        return [(setting, one, got)]
        return []

    def _with(self, setting: Setting, one: Mistake, case: Case) -> Tensor:
        sizes = setting.roles.sizes if setting.roles else self.sizes
        return Definition(sizes, self._weights(setting), self.options.rotary, **one.steps)(setting.seen(case))

    def _gives(self, setting: Setting, one: Mistake, case: Case, got: Tensor) -> bool:
        """Whether this mistake gives this result."""
        want = self._allowed(setting, one, case)
        return want is not None and _equal(case, got, want)

    def _allowed(self, setting: Setting, one: Mistake, case: Case) -> Tensor | None:
        """What this mistake gives; None if these sizes do not allow it."""
        try:
            return self._with(setting, one, case)
        except Exception:
            return None

    def _spelled(self, setting: Setting, one: Mistake, case: Case, got: Tensor) -> Mistake | None:
        """The mistake as it gives this result: with -inf at hidden keys, or with a finite number; None if neither does.

        What a mask that allows a query no key gives on purpose (`case.empty`) is a question of its own.
        """
        want = self._allowed(setting, one, case)
        if want is not None and _equal(case, got, want):
            return one
        others = () if case.empty else tuple(finite(one))
        if not others or (want is not None and _equal(case, self._right(setting, case), want)):  # the mistake does not show here
            return None
        return next((spelled for spelled in others if self._gives(setting, spelled, case, got)), None)

    def _confirmed(self, explained: list[tuple[Setting, Mistake, Tensor]]) -> list[tuple[Setting, Mistake, Tensor]]:
        """Those that also give the results of the other questions; all of them if none does.

        Where the call takes no mask there is only the causal one: a mistake of every mask that gives the same is not another.
        """
        if "mask" not in explained[0][0].answer.names:
            explained = [item for item in explained if item[1].where == "causal"] or explained
        if len({one.name for _, one, _ in explained}) == 1:
            return explained
        for question in self._other_questions(explained[0][0]):
            kept = [item for item in explained if self._confirms(item[0], item[1], question)]
            explained = kept or explained
        return explained

    def _confirms(self, setting: Setting, one: Mistake, question: Case) -> bool:
        try:
            return self._spelled(setting, one, question, setting.answer.ask(question)) is not None
        except Exception:  # it cannot be asked this
            return False

    def _other_questions(self, setting: Setting) -> Iterator[Case]:
        answer, cases = setting.answer, self.cases
        if answer.kind != "layer" or "context" in answer.names:
            yield cases.cross()
        if "causal" in answer.names:
            yield cases.causal()
            if answer.kind != "layer" or "context" in answer.names:
                yield cases.causal(cases.S)
        form = answer.form or Form("keep", "B1LS")
        if "mask" in answer.names:
            yield cases.masked(form)
            yield cases.masked(form, causal="causal" in answer.names)
        yield cases.other(more=1)

    def _to_decide(self) -> str:
        if self.module is None:
            return "To decide, call it at other sizes (B, L, S, E, H), or with a mask or causal."
        return (
            "To decide, make it with other sizes (E, H), say which weight is which, weights={'q': 'name', ...}, or hand over the "
            "function of q, k and v inside the module."
        )

    def _end(self, one: Mistake, case: Case, evidence: str, answer: Answer) -> None:
        """End with a mistake that has a name."""
        if "in the cache" in case.what and one.name == "context ignored":
            one = mistake("cache not read")
        given, named = answer.arguments(case) if answer.layout != "LD" else ((case,), {})
        line = line_of(one.where, partial(answer.ask if answer.layout == "LD" else answer.call, *given, **named))
        where = f" Look at {line[0].lower()}{line[1:]}." if line else ""
        if one.name == "causal ignored" and self.options.causal:
            off, call = self._otherwise(True)
            if off:
                message = f"{case.what}, later tokens change earlier rows, but causal=True says that it is always causal. {off}"
                raise Wrong(replace(self._verdict(False, message, fix=call), mistake=one.name))
            where += " If it is not meant to be always causal, leave causal=True out."
        message = f"{case.what}, {one.says}. {evidence}{where} Right: {one.fix}"
        if case.empty:
            message += ". If no query is ever without a key, say empty_rows=False."
        raise Wrong(replace(self._verdict(False, message, fix=one.fix), mistake=one.name, line=line))

    def _unknown(self, case: Case, setting: Setting, got: Tensor) -> AttentionVerdict:
        """The verdict on a result that no known mistake explains."""
        want = self._right(setting, case)
        if got.shape != want.shape:
            return self._verdict(False, f"{case.what}, the result has shape {tuple(got.shape)}; it must be {tuple(want.shape)}.")
        wrong = ~torch.isclose(got.to(want), want, rtol=0, atol=2e-4 * max(float(want.abs().amax()), 1.0))
        first = tuple(int(n) for n in wrong.nonzero()[0]) if wrong.any() else (0,) * want.dim()
        name = "y" if self.kind == "layer" else "the result"
        message = (
            f"{case.what}, {name}{list(first)} must be {want[first]:.4f} and is {got[first]:.4f}; {int(wrong.sum())} of "
            f"{wrong.numel()} numbers are wrong. It {difference(got, want)}. No known mistake gives these numbers."
        )
        if self.kind == "layer" and setting.roles:
            message += (
                f" They were compared with {setting.roles.described()}, H = {setting.roles.sizes.H}. If that is wrong, say "
                "weights={'q': 'name', ...} and H=..; if q and k are turned by their positions, rotary=..; if the module does more "
                "than attention, hand over the function of q, k and v inside it."
            )
        if self.options.causal is not None and "causal" not in setting.answer.names:
            message = f"{message} {self._otherwise(self.options.causal)[0]}".rstrip()
        return self._verdict(False, message)

    def _raised(self, case: Case, answer: Answer, error: Exception) -> Wrong:
        text = str(error).partition("\n")[0]
        line = _line_at_error(error)
        message = f"{case.what}, your code raised {type(error).__name__}: {text}{f' ({line})' if line else ''}"
        if case.keep is not None and answer.form:
            message += f" The mask was handed over as {answer.form}: say what it takes with mask=, one of {', '.join(MASKS)}."
        elif not isinstance(error, Exit):
            message += ". If it takes other sizes, say which: B=, L=, S=, E=, H=, G=."
        return Wrong(replace(self._verdict(False, message), line=line))

    def _passed(self) -> AttentionVerdict:
        found = "; ".join(f"{what} {value}" for what, value in self.found.items())
        message = f"It equals the definition: {', '.join(self.checked)}. Found: {found}."
        if self.unchecked:
            message += f" Not checked: {', '.join(self.unchecked)}."
        return self._verdict(True, message)

    def _verdict(self, passed: bool, message: str, fix: str = "") -> AttentionVerdict:
        return AttentionVerdict(
            passed, message, fix=fix, found=dict(self.found), checked=tuple(self.checked), unchecked=tuple(self.unchecked)
        )


def _line_at_error(error: BaseException) -> str:
    """The last line of the reader's code in a traceback."""
    step, found = error.__traceback__, ""
    while step is not None:
        module = str(step.tb_frame.f_globals.get("__name__"))
        if module.partition(".")[0] not in ("attn", "torch", "jaxtyping", "beartype"):
            text = linecache.getline(step.tb_frame.f_code.co_filename, step.tb_lineno).strip()
            found = f"line {step.tb_lineno}: {text}" if text else found
        step = step.tb_next
    return found


def _equal(case: Case, got: Tensor, want: Tensor) -> bool:
    """Rows without any key differ from one spelling to the next: NaN is left out."""
    return same(got, want) if case.empty or got.shape != want.shape else same(*without_nan(got, want))


def without_nan(got: Tensor, want: Tensor) -> tuple[Tensor, Tensor]:
    """Both with 0 where one of them is NaN; as they are where that is more than half of them."""
    nan = got.isnan() | want.isnan()
    return (got, want) if 2 * int(nan.sum()) > nan.numel() else (got.masked_fill(nan, 0), want.masked_fill(nan, 0))


def difference(got: Tensor, want: Tensor) -> str:
    """In words, with a verb: how a result differs from the definition."""
    if got.shape == want.shape and (missing := int((got.isnan() & ~want.isnan()).sum())):
        return f"has NaN in {missing:,} of {got.numel():,} places where the definition has numbers"
    return f"differs from the definition by up to {apart(got, want)}"


def apart(one: Tensor, other: Tensor) -> str:
    if one.shape != other.shape:
        return f"its shape {tuple(one.shape)}"
    difference = (one.double() - other.double()).abs()
    return "nan" if difference.isnan().any() else f"{float(difference.amax()):.2g}"
