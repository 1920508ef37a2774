import { existsSync, readFileSync } from "node:fs"
import type { Env } from "./environment-variables.ts"

/** Files that Docker and Podman put into each container. */
const MARKS = ["/.dockerenv", "/run/.containerenv"]

/**
 * Tells whether the bot runs in a container. There a restart keeps the old settings, and a folder
 * that isn't a volume is gone with the container. The image sets `container`, as Podman does;
 * Kubernetes gives each pod its own address.
 */
export function isInContainer(env: Env): boolean {
  return Boolean(env.container || env.KUBERNETES_SERVICE_HOST) || MARKS.some(existsSync)
}

const isPackage = import.meta.url.includes("/node_modules/docs-agent-for-slack/")

/**
 * Command that starts this bot, for hints: the package's, where it is installed as one, otherwise
 * that of a clone or a release archive.
 */
export const OWN_COMMAND = isPackage ? "npx docs-agent-for-slack" : "node dist/main.js"
/** The same with the settings in `.env`; Node reads the file earlier than the bot could. */
export const WITH_ENV_FILE = isPackage
  ? "npx docs-agent-for-slack --env-file=.env"
  : "node --env-file=.env dist/main.js"

/** Reads package.json, which is two folders above both `src/config` and `dist/bot`. */
export function readVersion(): string {
  const file = new URL("../../package.json", import.meta.url)
  const { version }: { version: string } = JSON.parse(readFileSync(file, "utf8"))
  return version
}
