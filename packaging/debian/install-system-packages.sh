#!/bin/sh
# The system libraries that Python wheels cannot bring, for Debian and Ubuntu. Installs only what is missing.
#   install-system-packages.sh run     what the program needs
#   install-system-packages.sh test    also what the tests need: a screen, a tray, a keychain, fonts, a mail server
# Without root or sudo it says what is missing and goes on: the command line and the core work without a screen.
set -eu

run="python3 python3-venv ca-certificates libegl1 libgl1 libxkbcommon0 libfontconfig1 libdbus-1-3 libglib2.0-0
 libxcb-cursor0 libxkbcommon-x11-0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0 libwayland-cursor0"
test="$run xvfb xauth openbox trayer xdotool dbus gnome-keyring libsecret-1-0 fonts-dejavu-core fonts-noto-cjk procps
 dovecot-core dovecot-imapd"

case "${1:-run}" in
  run) wanted=$run ;;
  test) wanted=$test ;;
  *) echo "usage: $0 run|test" >&2; exit 2 ;;
esac
command -v dpkg-query >/dev/null 2>&1 || exit 0

missing=
for package in $wanted; do
  state=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
  [ "$state" = "install ok installed" ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then as_root=
elif command -v sudo >/dev/null 2>&1 && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then as_root=sudo
else
  echo "These system packages are missing; install them for the window to work:" >&2
  echo "  apt-get install$missing" >&2
  exit 0
fi
echo "Installing system packages:$missing"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq
# shellcheck disable=SC2086  # a list of words is meant
$as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
