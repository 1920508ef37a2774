/** Oldest minor version by major one that the libraries support, as in `engines`. */
const OLDEST: Readonly<Record<number, number>> = { 20: 19, 22: 13 }
const NEWEST_LISTED = 24

/** Returns an error message if this Node is too old. Imports nothing, so it runs on any Node. */
export function refuseOldNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const oldest = OLDEST[major]
  if (major >= NEWEST_LISTED || (oldest !== undefined && minor >= oldest)) return undefined
  return `Docs Agent needs Node 20.19+, 22.13+ or 24+. This is Node ${version}. Install a newer one, for example with your version manager: nvm install 24`
}
