import { useState } from "preact/hooks"
import { isObject, stringIn } from "../../kit/json.ts"
import { type ElementProps, useSurface } from "../blocks/surface.ts"
import { TextObject } from "../blocks/text-object.tsx"
import { ConfirmDialog } from "../modal/confirm.tsx"
import { useBusyAttempt } from "../model/model.ts"
import { SafeLink } from "../mrkdwn/safe-link.tsx"

export function Button({ element, block }: ElementProps) {
  const surface = useSurface()
  const { busy, attempt } = useBusyAttempt()
  const [isAsking, setAsking] = useState(false)
  const words = isObject(element.confirm) ? element.confirm : undefined
  const action = stringIn(element, "action_id") ?? ""
  const act = () => void attempt(surface.press({ block, action }))
  const press = words ? () => setAsking(true) : act
  const answer = (yes: boolean) => {
    setAsking(false)
    if (yes) act()
  }
  const url = stringIn(element, "url")
  const label = stringIn(element, "accessibility_label")
  const style = stringIn(element, "style") ?? "plain"
  const common = { class: `button button-${style}`, ...(label ? { "aria-label": label } : {}) }
  return (
    <span class="element">
      {url !== undefined && /^https?:\/\//i.test(url) ? (
        // As in Slack, the link opens and the bot receives the click.
        <SafeLink {...common} url={url} onFollow={press}>
          <TextObject value={element.text} />
        </SafeLink>
      ) : (
        <button
          {...common}
          type="button"
          aria-busy={busy}
          onClick={() => {
            if (!busy) press()
          }}
        >
          <TextObject value={element.text} />
        </button>
      )}
      {isAsking && words ? <ConfirmDialog words={words} answer={answer} /> : null}
    </span>
  )
}
