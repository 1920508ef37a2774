import { useEffect } from "preact/hooks"
import type { WireChannel } from "../../workspace/to-wire.ts"
import { ChannelView } from "../chat/channel-view.tsx"
import { act } from "../model/api.ts"
import { usePage } from "../model/model.ts"
import { isAgentFor } from "../model/selectors.ts"

/** Renders the conversation with the app and the agent's prompts. Opening it notifies the bot. */
export function MessagesTab({ channel }: { channel: WireChannel }) {
  const { view, attempt } = usePage()
  const { me } = view
  useEffect(() => {
    void attempt(act("messages-tab", { as: me }))
  }, [me, attempt])
  return (
    <>
      <Prompts channel={channel.id} />
      <ChannelView channel={channel} />
    </>
  )
}

/** Renders the agent's prompts; a click sends one as if it had been typed. */
function Prompts({ channel }: { channel: string }) {
  const { model, view, attempt } = usePage()
  const { me } = view
  if (!isAgentFor(model, me)) return null
  const send = (text: string) => void attempt(act("say", { as: me, channel, text }))
  return (
    <section class="prompts" aria-label="Suggested requests">
      <p>Suggested requests</p>
      {model.catalog.prompts.map(({ title, message }) => (
        <button
          key={title}
          type="button"
          class="chip"
          title={message}
          onClick={() => send(message)}
        >
          {title}
        </button>
      ))}
    </section>
  )
}
