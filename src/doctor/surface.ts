import type { SurfaceState } from "../sessions/ports.ts"
import { type Finding, ok, warning } from "./finding.ts"

/**
 * Does Slack show jobs as sessions of an agent? Nothing is wrong where it does not: only apps that are
 * declared as agents have that, on plans that offer it.
 */
export function judgeSurface(surface: SurfaceState | undefined): Finding {
  if (surface?.state === "on" && surface.hasStop === false)
    return warning(
      "slack agent",
      "Agent sessions are on, but without Slack's Stop button",
      "Subscribe the app to the event agent_session_stopped; .github/manifest.agent.yml has it.",
    )
  return ok("slack agent", wordsOf(surface))
}

function wordsOf(surface: SurfaceState | undefined): string {
  if (surface?.state === "on")
    return `Agent sessions are on${surface.hasStop ? ", with Slack's Stop button" : ""}`
  if (surface?.state === "off")
    return `Agent sessions are off: Slack doesn't offer them to this app (${surface.code}). The bot tries again after ${minute(surface.until)}. To make the app an agent, see .github/OPERATIONS.md`
  return surface
    ? "Agent sessions: not known yet; the next job will show whether Slack offers them"
    : "Agent sessions: not known, as Redis isn't responding"
}

function minute(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`
}
