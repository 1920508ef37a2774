import { useEffect } from "preact/hooks"
import { objectsIn } from "../../kit/json.ts"
import { Blocks } from "../blocks/blocks.tsx"
import { actingSurface, SurfaceContext } from "../blocks/surface.ts"
import { act } from "../model/api.ts"
import { usePage } from "../model/model.ts"
import { botChannel } from "../model/selectors.ts"
import { CLOSED } from "../model/view-state.ts"
import { Avatar } from "../shell/avatar.tsx"
import { Scrollable } from "../shell/scrollable.tsx"
import { MessagesTab } from "./messages-tab.tsx"

export function AppView() {
  const { model, view, show, attempt } = usePage()
  const bot = model.bot
  const direct = botChannel(model, view.me)
  const isHome = view.place.kind === "home"
  const openHome = () => show({ ...CLOSED, place: { kind: "home" } })
  const openMessages = async () => {
    // The conversation begins when a person first opens it.
    const id = direct?.id ?? (await act("messages-tab", { as: view.me })).channel
    show({ ...CLOSED, place: { kind: "channel", id } })
  }
  return (
    <>
      <header class="place-header app-header">
        <h2>
          <Avatar user={bot} small />
          {bot?.realName}
        </h2>
        <fieldset class="tabs" aria-label="App tabs">
          <button type="button" aria-pressed={isHome} onClick={openHome}>
            Home
          </button>
          <button type="button" aria-pressed={!isHome} onClick={() => void attempt(openMessages())}>
            Messages
          </button>
        </fieldset>
      </header>
      {isHome || !direct ? (
        <HomeTab key={view.me} />
      ) : (
        <MessagesTab key={`${view.me} ${direct.id}`} channel={direct} />
      )}
    </>
  )
}

/** Notifies the bot when the tab is opened, so that it publishes a new view. */
function HomeTab() {
  const { model, view, attempt } = usePage()
  const { me } = view
  useEffect(() => {
    void attempt(act("home", { as: me }))
  }, [me, attempt])
  const home = model.homes[me]
  return (
    <Scrollable class="home" aria-label="Home tab">
      {home ? (
        <SurfaceContext.Provider value={actingSurface(me, "home")}>
          <Blocks blocks={objectsIn(home.payload.blocks)} />
        </SurfaceContext.Provider>
      ) : (
        <p class="waiting">Waiting for the bot to publish its Home tab…</p>
      )}
    </Scrollable>
  )
}
