import { compact, type JsonObject } from "../../kit/json.ts"
import { until } from "../../kit/until.ts"
import type { Core } from "../core.ts"
import { sendEvent } from "../delivery/events.ts"
import { dumpState } from "../dump.ts"
import { viewObject } from "../interaction/view-object.ts"
import type { User, View } from "../workspace/model.ts"
import { openDirectMessage } from "../workspace/workspace.ts"

/**
 * Opens the bot's Home tab and resolves with the view that the bot publishes.
 * @throws Error if it publishes none before the timeout.
 */
export async function openHome(core: Core, user: User): Promise<View> {
  const { homes, changes } = core.workspace
  const before = homes.get(user.id)
  const published = until(
    changes,
    () => homes.get(user.id)?.hash !== before?.hash && homes.get(user.id),
    () => dumpState(core),
  )
  if (!core.settings.events.has("app_home_opened")) return await published
  const [view] = await Promise.all([published, sendEvent(core, openedEvent(core, user, before))])
  return view
}

function openedEvent(core: Core, user: User, shown: View | undefined): JsonObject {
  return compact({
    type: "app_home_opened",
    user: user.id,
    channel: openDirectMessage(core.workspace, user.id).id,
    tab: "home",
    view: shown === undefined ? undefined : viewObject(core.workspace, shown),
    event_ts: core.workspace.nextTs(),
  })
}
