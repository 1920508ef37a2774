import type { ComponentChildren } from "preact"
import { linkTarget } from "../model/links.ts"
import { usePage } from "../model/model.ts"
import { messageAt } from "../model/selectors.ts"
import { CLOSED, toHash } from "../model/view-state.ts"

interface SafeLinkProps {
  readonly url: string
  readonly class?: string
  readonly "aria-label"?: string
  readonly onFollow?: () => void
  readonly children: ComponentChildren
}

/**
 * Renders a link that stays on this machine: to a message on this page, or to a page of the local
 * service in a new tab. Any other link shows a notice instead.
 */
export function SafeLink({ url, onFollow, children, ...look }: SafeLinkProps) {
  const { model, view, show, notify } = usePage()
  const target = linkTarget(url)
  if (target === undefined) return <>{children}</>
  if (target.kind === "local") {
    return (
      <a {...look} href={url} target="_blank" rel="noreferrer noopener" onClick={onFollow}>
        {children}
      </a>
    )
  }
  const message = target.kind === "message" ? messageAt(model, view.me, target) : undefined
  if (message === undefined) {
    const open = () => {
      onFollow?.()
      notify(
        target.kind === "message"
          ? "That message is gone, or you can't see it."
          : `The sandbox can't open links outside this machine: ${url}`,
      )
    }
    return (
      <button {...look} class={look.class ?? "link"} type="button" title={url} onClick={open}>
        {children}
      </button>
    )
  }
  const { channel, ts, threadTs: thread } = message
  const place = { kind: "channel", id: channel } as const
  const href = toHash({ me: view.me, place, thread })
  return (
    <a
      {...look}
      href={href}
      onClick={(event) => {
        event.preventDefault()
        onFollow?.()
        show({ ...CLOSED, place, thread, shown: { ts } })
      }}
    >
      {children}
    </a>
  )
}
