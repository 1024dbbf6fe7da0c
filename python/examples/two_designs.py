# %% Which of two designs is better, and where (docs/how-to/two-designs.md)
import graspmap as gm

config = gm.load("configs/lock_piece_quick.toml")
now = gm.run(config, "outputs/quick", resume=True)
strong = gm.run(config.copy({"gripper.closing_force_n": 40}), "outputs/strong", resume=True)

# %% The same seed: trials are compared in pairs, with the same placements and friction
found = now.difference(strong)
print(f"paired: {found.pairing.paired}")
whole = found.whole_map
print(f"the strong gripper succeeds more often by {100 * whole.b_minus_a:+.2f} points, "
      f"{whole.interval}")

# %% In which cells chance does not explain it
cells = found.table("difference.csv")
print(f"{int(cells['significant'].sum())} of {len(cells)} cells differ")
