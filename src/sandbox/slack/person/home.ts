import type { Core } from "../core.ts"
import { sendEvent } from "../delivery/events.ts"
import { dumpState } from "../dump.ts"
import { viewObject } from "../interaction/view-object.ts"
import { compact } from "../json.ts"
import { until } from "../until.ts"
import type { User, View } from "../workspace/model.ts"
import { openDirectMessage } from "../workspace/workspace.ts"

/**
 * Opens the bot's Home tab and resolves with what the bot publishes in answer.
 * @throws Error, if it publishes nothing within five seconds.
 */
export async function openHome(core: Core, user: User): Promise<View> {
  const { homes, changes, nextTs } = core.workspace
  const before = homes.get(user.id)
  const published = until(
    changes,
    () => homes.get(user.id)?.hash !== before?.hash && homes.get(user.id),
    () => dumpState(core),
  )
  const [view] = await Promise.all([
    published,
    core.settings.events.has("app_home_opened") && opened(),
  ])
  return view

  function opened() {
    return sendEvent(
      core,
      compact({
        type: "app_home_opened",
        user: user.id,
        channel: openDirectMessage(core.workspace, user.id).id,
        tab: "home",
        view: before === undefined ? undefined : viewObject(core.workspace, before),
        event_ts: nextTs(),
      }),
    )
  }
}
