import { createContext } from "preact"
import { useCallback, useContext, useId, useState } from "preact/hooks"
import type { JsonObject } from "../../kit/json.ts"
import { TextObject, wordsIn } from "../blocks/text-object.tsx"
import { Dialog } from "./dialog.tsx"

type Confirm = (words: JsonObject) => Promise<boolean>

const ConfirmContext = createContext<Confirm>(async () => true)

export function useConfirm(): Confirm {
  return useContext(ConfirmContext)
}

export function ConfirmProvider({ children }: { children: preact.ComponentChildren }) {
  const [question, setQuestion] = useState<Question | undefined>()
  const ask = useCallback(
    (words: JsonObject) =>
      new Promise<boolean>((resolve) => {
        setQuestion({
          words,
          answer: (yes) => {
            setQuestion(undefined)
            resolve(yes)
          },
        })
      }),
    [],
  )
  return (
    <ConfirmContext.Provider value={ask}>
      {children}
      {question ? <ConfirmDialog {...question} /> : null}
    </ConfirmContext.Provider>
  )
}

interface Question {
  readonly words: JsonObject
  readonly answer: (yes: boolean) => void
}

function ConfirmDialog({ words, answer }: Question) {
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
