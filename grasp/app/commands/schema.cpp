#include <iostream>

#include "grasp/app/commands/commands.hpp"
#include "grasp/app/commands/options.hpp"
#include "grasp/sweep/config/key_list.hpp"

namespace graspmap {
namespace {

int print_schema(const Arguments& /*arguments*/) {
  std::cout << config_schema();
  return 0;
}

}  // namespace

Command schema_command() {
  return {
      {"schema", "print a JSON schema of configurations, with which editors help", "",
       "Prints a JSON schema of the configurations of sweeps. Editors that know schemas of TOML,\n"
       "such as VS Code with \"Even Better TOML\", then complete keys and words, say what a key\n"
       "means, and underline what is wrong while you write. Name the schema in the first line of\n"
       "a configuration: #:schema graspmap.schema.json\n",
       "  graspmap schema > graspmap.schema.json\n"},
      parsed(print_schema)};
}

}  // namespace graspmap
