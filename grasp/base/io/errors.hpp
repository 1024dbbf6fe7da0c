#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace graspmap {

/// Where an input was read.
struct InputPlace {
  std::string source = {};  ///< a file, or the override "--set a.b=value"
  int line = 0;             ///< from 1; 0 where it is not known

  [[nodiscard]] std::string text() const;  ///< "FILE:LINE", or the source alone
};

/// Faults that Python has exceptions of its own for.
enum class FaultKind {
  kOther,
  kNoFile,  ///< there is no such file or folder
  kNoTrial  ///< a run has no trial of such an index
};

/// One thing that is wrong with an input.
struct ConfigFault {
  InputPlace place = {};
  std::string key = {};      ///< dotted, "gripper.opening_mm", or the name of a column
  std::string what = {};     ///< "is -1"
  std::string allowed = {};  ///< "must be a finite number > 0", "did you mean opening_mm?"
  FaultKind kind = FaultKind::kOther;
  InputPlace named_at = {};   ///< where a configuration names the file of `place`; else empty
  std::string named_by = {};  ///< by which key: "part.mass_kg.file"

  /// `text` is "WHAT; ALLOWED", as readers say it.
  static ConfigFault of(InputPlace place, std::string_view key, std::string_view text);

  /// The line that a person sees: "FILE:LINE: KEY: WHAT; ALLOWED (named by KEY, FILE:LINE)",
  /// without the parts that are empty, whatever characters a person has put into a key or a value.
  [[nodiscard]] std::string sentence() const;
};

/// Wrong input by a person. `what()` has the sentence of each fault, in lines of their own. Thrown
/// only where text is read, caught in main. Exit code 2.
class ConfigError : public std::runtime_error {
 public:
  explicit ConfigError(const std::string& what);
  explicit ConfigError(ConfigFault fault);
  explicit ConfigError(std::vector<ConfigFault> faults);  ///< one at least

  [[nodiscard]] const std::vector<ConfigFault>& faults() const { return *faults_; }

 private:
  std::shared_ptr<const std::vector<ConfigFault>> faults_;  ///< copies of errors must not throw
};

/// The machine could not do what was asked (disk full, folder not writable). Exit code 1.
struct IoError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The error of one fault; `text` is "WHAT; ALLOWED".
ConfigError config_error(InputPlace place, std::string_view key, std::string_view text,
                         FaultKind kind = FaultKind::kOther);

/// The error of a file that file_bytes gave nothing of; `reason` is its errno, `hint` ends the
/// text.
ConfigError unreadable_error(const std::filesystem::path& file, int reason, std::string_view hint);

/// The bytes of a file; nothing when it cannot be read: errno says why.
std::optional<std::string> file_bytes(const std::filesystem::path& file);

/// The text without the byte order mark of UTF-8.
std::string_view without_mark(std::string_view text);

/// The text with the letters of ASCII in lower case.
std::string lower_case(std::string_view text);

/// What a file is by how it begins, as messages say it: "an SQLite database", "a PNG image", "an
/// empty file", "a CSV table". "" for what may be TOML.
std::string_view file_kind(std::string_view text);

/// The same where any text will do: "" for all texts in UTF-8 and ASCII.
std::string_view binary_kind(std::string_view text);

/// Whether the first line that is no comment begins a table of TOML or sets a key.
bool may_be_toml(std::string_view text);

/// `file_kind` of a file that need not be readable: "a folder", "a device", or by its first bytes.
std::string_view file_kind_of(const std::filesystem::path& file);

/// What a person probably meant by a key that does not exist.
struct KeySuggestion {
  std::string key;
  bool other_unit = false;  ///< the keys differ only in the unit at their end
};

/// The key without the unit at its end: "closing_speed_mm_s" -> "closing_speed".
std::string without_unit(std::string_view key);

/// The key of the same angle in the other unit, "theta_deg" for "theta_rad"; other keys as they
/// are.
std::string in_degrees(std::string_view key);
std::string in_radians(std::string_view key);

/// The allowed key that differs from `key` only in its unit ("opening" or "opening_cm" for
/// "opening_mm"), else the one that is closest in spelling, if any is close.
std::optional<KeySuggestion> suggest_key(std::string_view key,
                                         const std::vector<std::string_view>& allowed);

}  // namespace graspmap
