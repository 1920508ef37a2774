import { stringify } from "yaml"
import { inSocketMode } from "../../src/manifest.ts"
import type { Manifest } from "../sandbox/manifest.ts"

/** Returns the manifest for Socket Mode, as the bot prints it. */
export function toSocketMode(manifest: Manifest): Manifest {
  return JSON.parse(JSON.stringify(manifest), inSocketMode)
}

/** Returns the address of Slack's page for a new app, with this manifest filled in. */
export function createAppLink(manifest: Manifest): string {
  // Minimal indent, unfolded lines: each space is three characters of a link that counts as part of
  // the README. Omits the long description, which only the app directory shows.
  const { long_description: _, ...display_information } = manifest.display_information
  const yaml = stringify({ ...manifest, display_information }, { indent: 1, lineWidth: 0 })
  const words = new URLSearchParams({ new_app: "1", manifest_yaml: yaml })
  return `https://api.slack.com/apps?${words.toString().replaceAll("+", "%20")}`
}
