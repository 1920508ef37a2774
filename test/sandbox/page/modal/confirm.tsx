import { useId } from "preact/hooks"
import type { JsonObject } from "../../kit/json.ts"
import { TextObject, wordsIn } from "../blocks/text-object.tsx"
import { Dialog } from "./dialog.tsx"

/** Question of an element with `confirm`, before it does anything. */
interface Question {
  readonly words: JsonObject
  readonly answer: (yes: boolean) => void
}

export function ConfirmDialog({ words, answer }: Question) {
  const titleId = useId()
  return (
    <Dialog class="confirm" labelledBy={titleId} onClose={() => answer(false)}>
      <h2 id={titleId}>{wordsIn(words.title) || "Are you sure?"}</h2>
      <div class="confirm-text">
        <TextObject value={words.text} />
      </div>
      <footer>
        <button type="button" class="button button-plain" onClick={() => answer(false)}>
          {wordsIn(words.deny) || "Cancel"}
        </button>
        <button type="button" class="button button-primary" onClick={() => answer(true)}>
          {wordsIn(words.confirm) || "Yes"}
        </button>
      </footer>
    </Dialog>
  )
}
