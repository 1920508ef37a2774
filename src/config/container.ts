import { existsSync } from "node:fs"
import type { Env } from "./settings.ts"

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
