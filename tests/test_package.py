"""The package with nothing but what it needs: its types, and labs as widgets that compute and have their HTML.

These tests and those of attention, the trace, the checkers and the figures also run where only the package is installed, with other
versions of Python and of what it needs: see tools/try_package.py.
"""

from importlib import metadata, resources

import pytest
from ipywidgets import DOMWidget

import attn
from attn import labs
from attn.labs.training.lab import _short_run


@pytest.mark.parametrize("make", [labs.MaskLab, labs.GridLab, lambda: labs.TrainingLab(_short_run())])
def test_a_lab_is_a_widget_and_html_with_the_same_fact_for_readers_without_scripts(make):
    made = make()
    assert isinstance(made, DOMWidget)
    assert f'data-lab="{made.NAME}"' in made.html() and made.fallback() in made.html()
    assert "export default" in made._esm and ".attn-lab-root" in made._css


def test_a_lab_computes_again_when_a_setting_changes():
    lab = labs.ShapeLab(L=5, H=3, D=4)
    lab.L = 7
    assert lab.scores.shape[-2:] == (7, 7) and lab.scores.device.type == attn.device().type


def test_the_package_is_typed_and_knows_its_version():
    assert resources.files("attn").joinpath("py.typed").is_file()
    assert "labs" in metadata.metadata("attn").get_all("Provides-Extra") and metadata.version("attn")
