/** The oldest releases that the libraries support, as `engines` in package.json names them. */
const OLDEST: Readonly<Record<number, number>> = { 20: 19, 22: 13 }
const NEWEST_LISTED = 24

/**
 * Returns what to tell somebody whose Node is too old; undefined if it is new enough. Pure, and free of imports,
 * as it must run where nothing else does.
 * @param version such as `20.19.0`
 */
export function refuseOldNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const oldest = OLDEST[major]
  if (major >= NEWEST_LISTED || (oldest !== undefined && minor >= oldest)) return undefined
  return `Docs Agent needs Node 20.19, 22.13, 24 or newer. This is Node ${version}. Install a newer one, for example with your version manager: nvm install 24`
}
