# Tab completion of graspmap and graspmap-lab for bash. The program itself says what may stand on its
# command line, so a new command or key is completed at once. Needs the package bash-completion.

_graspmap() {
  local cur words cword
  # Words as they were typed: bash would break KEY=VALUE at '='.
  _get_comp_words_by_ref -n = cur words cword
  local answer source word
  answer=$("${words[0]}" __complete "${words[@]:1:cword}" 2>/dev/null) || return
  source=${answer%%$'\n'*}
  case $source in
    folders) _filedir -d ;;
    files) _filedir ;;
    files\ *)
      local endings=${source#files .}
      _filedir "@(${endings// ./|})"
      ;;
  esac
  if [[ $answer == *$'\n'* ]]; then
    while IFS=' ' read -r word _; do COMPREPLY+=("$word"); done <<<"${answer#*$'\n'}"
  fi
  # A key goes on with its value, a section with its keys.
  [[ ${COMPREPLY[0]-} != *[=.] || $source != words ]] || compopt -o nospace 2>/dev/null
  # bash itself replaces only what follows the last '='.
  if [[ $cur == *=* && $COMP_WORDBREAKS == *=* ]]; then
    COMPREPLY=("${COMPREPLY[@]#"${cur%"${cur##*=}"}"}")
  fi
} && complete -F _graspmap graspmap graspmap-lab
