"""Configurations: read, changed, checked by the command's own reader."""
import copy
import json
import pickle
import tomllib

import numpy as np
import pytest

import graspmap as gm
from conftest import QUICK, SOURCE


def test_keys_are_attributes_and_items(config):
    assert config.gripper.closing_force_n == config["gripper.closing_force_n"] == 10
    assert config["gripper"]["closing_force_n"] == 10
    assert config.part.piece[0].name == config["part.piece.0.name"]
    assert config.name == "lock_piece_quick"
    assert "closing_force_n" in config.gripper and "closing_force_n" in dir(config.gripper)
    assert config.part.piece[-1].name == "tooth_6"
    assert [piece.name for piece in config.part.piece[1:3]] == ["tooth_1", "tooth_2"]
    assert "gripper.closing_force_n" in config and "gripper.nothing" not in config
    assert len(config.part.piece) == 7 and [piece.name for piece in config.part.piece][0] == "disc"
    assert "gripper.closing_force_n" in config._ipython_key_completions_()


def test_what_is_read_has_the_defaults(config):
    assert "plateau_probability" not in QUICK.read_text()
    assert config.summary.plateau_probability == 0.95


def test_overrides_are_those_of_the_command(config, command, tmp_path):
    changed = gm.load(QUICK, {"gripper.closing_force_n": 20, "friction.jaw": 0.25})
    assert changed.gripper.closing_force_n == 20
    assert changed == gm.load(QUICK, ["gripper.closing_force_n=20", "friction.jaw=0.25"])
    command("run", QUICK, "--set", "gripper.closing_force_n=20", "--set", "friction.jaw=0.25",
            "--trials-per-cell", 1, "--no-plots", "--quiet", "--out", tmp_path / "run")
    changed.sweep.trials_per_cell = 1
    assert (tmp_path / "run" / "config.toml").read_text() == changed.to_toml()


def test_values_of_every_kind_can_be_set(config):
    config.gripper.closing_force_n = np.float64(12.5)
    config["sweep.seed"] = np.int64(7)
    config.placement.noise = {"x_mm": {"distribution": "normal", "mean": 0, "sigma": 1}}
    config.part.center_of_mass_mm = np.array([0.5, 0])
    config.part.piece[2].name = "another_tooth"
    assert config.gripper.closing_force_n == 12.5
    assert config.sweep.seed == 7
    assert config.part.center_of_mass_mm == (0.5, 0)
    assert config.part.piece[2].name == "another_tooth"


def test_a_refused_change_changes_nothing(config):
    before = config.to_toml()
    with pytest.raises(gm.ConfigError) as caught:
        config.gripper.closing_force_n = -1
    assert caught.value.key == "gripper.closing_force_n"
    assert caught.value.file is None and caught.value.line is None
    assert "must be a finite number > 0" in str(caught.value)
    with pytest.raises(gm.ConfigError, match="unknown key"):
        config.gripper.closing_forse_n = 3
    for value in (float("nan"), float("inf"), "a word", [1, 2], {"a": 1}, True):
        with pytest.raises(gm.ConfigError, match="gripper.closing_force_n"):
            config.gripper.closing_force_n = value
    with pytest.raises(gm.UsageError, match="no complex"):
        config.gripper.closing_force_n = 1j
    assert config.to_toml() == before


def test_all_faults_are_told():
    with pytest.raises(gm.ConfigError) as caught:
        gm.Config("[part]\n[[part.piece]]\nname = 'disc'\nsemi_axes_mm = [9, 9]\nexponnent = 3\n")
    faults = {fault.key: fault for fault in caught.value.faults}
    assert faults["gripper.opening_mm"] == gm.Fault("configuration", 1, "gripper.opening_mm", "missing",
                                                    "must be a finite number > 0")
    assert faults["part.piece.0.exponnent"].allowed == "did you mean exponent?"
    assert faults["part.piece.0.exponnent"].line == 5
    assert str(caught.value).count("\n") + 1 == len(faults)


def test_angles_may_be_in_degrees(config):
    config.placement.theta_deg = 180
    assert config.placement.theta_deg == 180 and config.placement.theta_rad == np.pi
    config.placement.theta_rad = 1
    assert config.placement.theta_rad == 1 and "theta_deg" not in config.placement


def test_keys_are_described(config):
    text = gm.describe("gripper.opening_mm")
    assert text.startswith("gripper.opening_mm: mm; above `stop.closed_opening_mm`; between")
    assert config.gripper.help("opening_mm") == config.help("gripper.opening_mm") == text
    assert config.part.piece[1].help("exponent").startswith("part.piece.1.exponent: number")
    assert "timeout_s: s; at most" in config.stop.help() and "[finger]" in config.gripper.help()
    with pytest.raises(KeyError, match="no such key"):
        gm.describe("gripper.nothing")


def test_the_schema_takes_the_examples_and_what_a_run_writes():
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(gm._native.config_schema())
    jsonschema.Draft7Validator.check_schema(schema)
    examples = sorted((SOURCE / "configs").glob("*.toml"))
    assert len(examples) >= 10
    for example in examples:
        jsonschema.validate(tomllib.loads(example.read_text()), schema)
        jsonschema.validate(gm.load(example).to_dict(), schema)
    with_model = tomllib.loads(QUICK.read_text())
    with_model["gripper"] = {}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(with_model, schema)
    with_model["gripper"]["model"] = "robotiq_2f85"
    jsonschema.validate(with_model, schema)
    wrong = tomllib.loads(QUICK.read_text())
    wrong["gripper"]["opening_mm"] = -1
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(wrong, schema)


def test_changes_that_belong_together(config):
    with pytest.raises(gm.ConfigError):
        config.support.model = "tripod"
    config.update({"support.model": "tripod", "support.e_r_mm": None,
                   "support.radius_mm": 13, "support.angles_rad": [1.57, 3.66, 5.76]})
    assert config.support.model == "tripod"
    assert "e_r_mm" not in config.support


def test_keys_are_taken_away(config):
    changed = gm.load(QUICK, {"summary.plateau_probability": 0.8})
    assert changed.summary.plateau_probability == 0.8
    del changed.summary.plateau_probability
    assert changed.summary.plateau_probability == 0.95
    with pytest.raises(gm.ConfigError, match="cannot be taken away"):
        del changed["gripper.nothing"]
    with pytest.raises(gm.ConfigError, match="missing"):
        del config.gripper.closing_force_n


def test_what_is_not_there(config):
    with pytest.raises(AttributeError, match="gripper.nothing: there is no such key; there are closing_force_n"):
        config.gripper.nothing  # noqa: B018
    with pytest.raises(KeyError):
        config["gripper.nothing"]
    with pytest.raises(IndexError):
        config.part.piece[7]
    assert not hasattr(config, "nothing")


def test_dict_text_and_copies_give_the_same(config):
    assert gm.Config(config.to_dict()) == config
    assert gm.Config(config.to_toml()) == config
    assert config.to_dict() == tomllib.loads(config.to_toml())
    for other in (config.copy(), copy.deepcopy(config), pickle.loads(pickle.dumps(config))):
        assert other == config
        other.gripper.closing_force_n = 30
        assert other != config and config.gripper.closing_force_n == 10
    assert config.copy({"gripper.closing_force_n": 30}) == other


def test_a_saved_configuration_is_read_again(config, tmp_path):
    config.save(tmp_path / "saved.toml")
    assert gm.load(tmp_path / "saved.toml") == config


def test_many_changes_stay_few(config):
    for force in range(1, 40):
        config.gripper.closing_force_n = force
        config.friction.jaw = 0.2
    assert config.overrides == ("sweep.trials_per_cell=1", "gripper.closing_force_n=39",
                                "friction.jaw=0.2")


def test_the_order_of_changes_that_overlap_is_kept(config):
    config.friction = {"jaw": 0.2, "support": 0.3}
    config.friction.jaw = 0.25
    config.friction = {"jaw": 0.1, "support": 0.3}
    assert config.friction.jaw == 0.1
    config.friction.jaw = 0.15
    assert config.friction.jaw == 0.15


@pytest.mark.parametrize("text, line, key", [
    ("name = 3\n", 1, "part"),
    ("\n[gripper]\nopening_mm = \"wide\"\n", 3, None),
    ("a = = 1\n", 1, None),
])
def test_errors_are_those_of_the_command(text, line, key, tmp_path, command):
    file = tmp_path / "bad.toml"
    file.write_text(text)
    with pytest.raises(gm.ConfigError) as caught:
        gm.load(file)
    assert caught.value.file == str(file)
    assert key is None or caught.value.key == key
    assert caught.value.line == line or key is None
    printed = command("run", file, status=2)
    assert printed == "".join(f"graspmap: error: {line}\n" for line in str(caught.value).splitlines())
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, gm.Error)


def test_errors_of_files():
    with pytest.raises(gm.ConfigError) as caught:
        gm.load("no/such/file.toml")
    assert (caught.value.file, caught.value.line) == ("no/such/file.toml", None)
    with pytest.raises(gm.ConfigError, match="is a folder"):
        gm.load(SOURCE)


def test_drawings_are_looked_for_beside_the_file():
    from_file = gm.load(SOURCE / "configs" / "hex_nut.toml")
    text = open(from_file.source).read()
    assert gm.Config(text, source=from_file.source) == from_file
    with pytest.raises(gm.ConfigError, match="cannot be read|no such"):
        gm.Config(text, source="/nowhere/x.toml")


def test_what_a_notebook_shows(config):
    assert repr(config) == "<Config lock_piece_quick: 10 x 10 cells of 1 trials>"
    assert "closing_force_n = 10" in config._repr_html_()
    assert "closing_force_n = 10\n" in repr(config.gripper)
