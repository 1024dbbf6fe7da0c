# %% A run in parts, and joined (docs/how-to/cluster.md)
import graspmap as gm

config = gm.load("configs/lock_piece_quick.toml")

# %% Each part could be another machine's
for part in (1, 2, 3):
    print(gm.run(config, shard=(part, 3), overwrite=True))

# %% Joined: the same bits as one run
folders = [f"outputs/{config.name}/shards/{part}-of-3" for part in (1, 2, 3)]
whole = gm.merge("outputs/merged", folders, overwrite=True)
print(whole)
print(whole.digest == gm.run(config, "outputs/quick", resume=True).digest)
