"""What scripts/check_rooms must notice. Run: python3 tests/scripts/check_rooms_test.py"""
import unittest

from checked_tree import CheckedTree

PAGE = """# Architecture
## Rooms
| room | what lies here |
| --- | --- |
| `geometry` | shapes |
| `sim/closing` | grasps |
## Libraries
| headers | rooms |
| --- | --- |
| `toml++/` | `sim/closing` |
"""


class CheckRooms(CheckedTree):
    script = "check_rooms"

    def setUp(self):
        super().setUp()
        self.write("docs/architecture.md", PAGE)
        self.write("geometry/README.md", "# geometry\n\nMay use: Eigen only.\n")
        self.write("geometry/part.hpp", "#pragma once\n")
        self.write("sim/closing/README.md", "# closing\n\nMay use: `geometry`.\n")
        self.write("sim/closing/model.cpp", '#include "geometry/part.hpp"\n#include <toml++/toml.h>\n')

    def test_allowed(self):
        self.check()

    def test_include_against_the_direction(self):
        self.write("geometry/part.hpp", '#pragma once\n\n#include "sim/closing/model.hpp"\n')
        self.check("geometry/part.hpp:3: geometry may not use sim/closing (sim/closing/model.hpp)")

    def test_library_in_the_wrong_room(self):
        self.write("geometry/part.cpp", "#include <vector>\n#include <toml++/toml.h>\n")
        self.check("geometry/part.cpp:2: <toml++/toml.h>: allowed in sim/closing only")

    def test_cycle(self):
        self.write("geometry/README.md", "# geometry\n\nMay use: `sim/closing`.\n")
        self.check("`geometry` may not use `sim/closing`, of a later wing",
                   "a cycle: geometry -> sim/closing -> geometry")

    def table(self, *rows):
        """A page with these rooms besides, each as (room, what it may use)."""
        head, libraries = PAGE.split("## Libraries")
        for room, used in rows:
            head += f"| `{room}` | more |\n"
            self.write(f"{room}/README.md", f"# {room}\n\nMay use: {used}.\n")
            self.write(f"{room}/file.cpp", "")
        self.write("docs/architecture.md", head + "## Libraries" + libraries)

    def test_wings_point_one_way(self):
        self.table(("grasp/sweep/trials", "`grasp/show/story`"), ("grasp/show/story", "`sim/closing`"))
        self.check("`grasp/sweep/trials` may not use `grasp/show/story`, of a later wing")

    def test_loop_through_a_folder_inside_a_room(self):
        self.table(("grasp/base/drawings", "`geometry`"), ("grasp/base/io", "`grasp/base/drawings`"),
                   ("grasp/base/drawings/picture", "`grasp/base/io`"))
        self.check("a cycle: grasp/base/drawings -> grasp/base/io -> grasp/base/drawings")

    def test_file_outside_the_rooms(self):
        self.write("sim/loose.cpp", "")
        self.check("sim/loose.cpp: lies in no room")

    def test_readme_that_does_not_allow_it(self):
        self.write("sim/closing/README.md", "# closing\n\nMay use: no other room.\n")
        self.check("sim/closing/model.cpp:1: sim/closing may not use geometry (geometry/part.hpp)")

    def test_readme_that_says_nothing(self):
        self.write("sim/closing/README.md", "# closing\n")
        self.check("sim/closing/README.md: does not say what the room may use",
                   "sim/closing/model.cpp:1: sim/closing may not use geometry (geometry/part.hpp)")

    def test_readme_that_names_no_room(self):
        self.write("sim/closing/README.md", "# closing\n\nMay use: `geometry`, `attic`.\n")
        self.check("sim/closing/README.md: may use `attic`, which is no room of docs/architecture.md")

    def test_two_types_of_one_name(self):
        self.write("geometry/part.hpp", "#pragma once\nnamespace graspmap {\nstruct Legend {\n};\n}\n")
        self.write("sim/closing/plot.hpp",
                   "#pragma once\nnamespace graspmap {\nenum class Legend : int {\n  kOne\n};\n}\n")
        self.write("sim/closing/model.hpp", "namespace graspmap::mcp {\nstruct Legend {\n};\n}\n"
                   "struct Legend;\n")
        self.check("sim/closing/plot.hpp:3: Legend is also defined in geometry/part.hpp:3")

    def test_room_without_readme(self):
        (self.root / "geometry/README.md").unlink()
        self.check("geometry: has no README.md")

    def test_room_with_too_many_sources(self):
        for i in range(26):
            self.write(f"geometry/part_{i}.cpp", "")
        self.check("geometry: has 26 sources; at most 25 are allowed")


if __name__ == "__main__":
    unittest.main()
