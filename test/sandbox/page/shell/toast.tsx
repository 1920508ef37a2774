import { useEffect, useState } from "preact/hooks"

const SHOWN_MS = 5000

export function Toast({ toast }: { toast: { text: string; at: number } | undefined }) {
  const [gone, setGone] = useState<number | undefined>()
  useEffect(() => {
    if (toast === undefined) return
    const timer = setTimeout(() => setGone(toast.at), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [toast])
  const shown = toast !== undefined && gone !== toast.at
  return (
    <div class="toast" role="status">
      {shown ? <p>{toast.text}</p> : null}
    </div>
  )
}
