import { stringIn } from "../../kit/json.ts"
import type { ElementProps } from "../blocks/surface.ts"
import { TextObject } from "../blocks/text-object.tsx"
import { ConfirmDialog } from "../modal/confirm.tsx"
import { SafeLink } from "../mrkdwn/safe-link.tsx"
import { useElement } from "./use-element.ts"

export function Button({ element, block }: ElementProps) {
  const { busy, press, question } = useElement({ element, block })
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
      {question ? <ConfirmDialog {...question} /> : null}
    </span>
  )
}
