# %% Whether an experiment agrees with a run (docs/how-to/agree-with-lab.md)
import graspmap as gm

run = gm.run(gm.load("configs/lock_piece_quick.toml"), "outputs/quick", resume=True)

# %% Trials of a laboratory, from a file. More simulated trials tell more: leave `trials` out.
found = run.compare("configs/lab/lock_piece_off.csv", trials=5000)
print(found.verdict, f"p = {found.agreement.p_value:.2g}")
for name, change in found.agreement.changes.to_dict().items():
    print(f"{name:17} {change['estimate']['value']:8.3f}, p = {change['adjusted_p_value']:.2g}")

# %% From a table: a dict of columns, a structured array, or a pandas.DataFrame
lab = {"x_mm": [0, 0, 0, 4, -4, 8], "y_mm": [-11, -7, -3, -11, -11, -15],
       "success": [True, True, False, True, True, False]}
print(run.compare(lab, trials=5000).verdict)

# %% Facts that are published in words
for fact in run.compare("configs/published/brost_christiansen_1996.toml").facts:
    print(f"{fact.verdict}: {fact.claim}")

# How many trials an experiment needs: run.lab_plan(detect={"jaw_friction": 0.05}), about a minute;
# its run_sheet.csv, filled in, is an experiment for compare() and calibrate().
