# %% A known pose without sensors (docs/how-to/sequence.md)
import graspmap as gm

rod = gm.load("configs/connecting_rod.toml")
plan = gm.sequence(rod, angles_deg=(-40, 40), within_deg=1, within_mm=4, trials=500)
print(f"{len(plan.squeezes)} squeezes: {plan.probability:.3f}, {plan.interval}; {plan.cycle_s:.1f} s")

# %% How the poses come together
for phase in plan.phases:
    print(f"{phase.phase:40} {phase.share_of_one_pose:6.1%}, {phase.angle_rms_rad:.4f} rad")

# %% The same program in a configuration, from a narrower start
program = rod.copy({"program": plan.program})
print(gm.sequence(program, program=True, angles_deg=(-10, 10), within_deg=1, within_mm=4,
                  trials=500).probability)
