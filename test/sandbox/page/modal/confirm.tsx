import { createContext } from "preact"
import { useCallback, useContext, useState } from "preact/hooks"
import type { JsonObject } from "../../kit/json.ts"
import { ConfirmDialog, type Question } from "./confirm-dialog.tsx"

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
