import type { SurfaceStanding } from "../sessions/ports.ts"
import { type Finding, ok, warning } from "./finding.ts"

/**
 * Does Slack show jobs as sessions of an agent? Nothing is wrong where it does not: only apps that are
 * declared as agents have that, on plans that offer it.
 */
export function judgeSurface(surface: SurfaceStanding | undefined): Finding {
  if (surface?.state === "on" && surface.hasStop === false)
    return warning(
      "slack agent",
      "On: Slack shows jobs as agent sessions, but without its Stop button",
      "Subscribe the app to the event agent_session_stopped; the manifest for agents in the README has it.",
    )
  return ok("slack agent", wordsOf(surface))
}

function wordsOf(surface: SurfaceStanding | undefined): string {
  if (surface?.state === "on")
    return `On: Slack shows jobs as agent sessions${surface.hasStop ? ", with its own Stop button" : ""}`
  if (surface?.state === "off")
    return `Off: Slack doesn't offer this app agent sessions (${surface.code}). The bot tries again after ${minute(surface.until)}. The README says how to declare the app as an agent`
  return surface
    ? "Not known yet: the next job shows whether Slack offers agent sessions"
    : "Not known: Redis isn't responding, so the bot can't tell whether Slack offers agent sessions"
}

function minute(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`
}
