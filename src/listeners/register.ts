import type { App } from "@slack/bolt"
import { registerActions } from "./actions/register.ts"
import { registerCommands } from "./commands/register.ts"
import { registerEvents } from "./events/register.ts"
import { registerShortcuts } from "./shortcuts/register.ts"
import { registerViews } from "./views/register.ts"
import type { VisitorsRouteDeps } from "./visitors/clicks.ts"

/**
 * Everything the bot listens to; `manifest.yml` lists the same. Each listener reads its payload, makes
 * durable what it asks for, acknowledges, and only then says anything to Slack.
 */
export function registerListeners(app: App, deps: VisitorsRouteDeps): void {
  registerCommands(app, deps)
  registerEvents(app, deps)
  registerActions(app, deps)
  registerShortcuts(app, deps)
  registerViews(app, deps)
}
