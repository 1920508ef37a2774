import type {
  AllMiddlewareArgs,
  AnyMiddlewareArgs,
  Middleware,
  SlackActionMiddlewareArgs,
  SlackCommandMiddlewareArgs,
  SlackEventMiddlewareArgs,
  SlackShortcutMiddlewareArgs,
  SlackViewMiddlewareArgs,
} from "@slack/bolt"

/** Handlers of one kind of payload, by the name under which Slack delivers it. */
export type Handlers<Deps, Args> = Readonly<
  Record<string, (deps: Deps, args: Args & AllMiddlewareArgs) => Promise<void>>
>

/** Everything an app listens to, as data: a test holds it to the manifest. */
export interface SlackRoutes<Deps> {
  commands: Handlers<Deps, SlackCommandMiddlewareArgs>
  events: Handlers<Deps, SlackEventMiddlewareArgs>
  /** By callback id, as are views. */
  shortcuts: Handlers<Deps, SlackShortcutMiddlewareArgs>
  views: Handlers<Deps, SlackViewMiddlewareArgs>
  actions: Handlers<Deps, SlackActionMiddlewareArgs>
  /** A button that no route names, such as one of an older version. */
  otherAction: Handlers<Deps, SlackActionMiddlewareArgs>[string]
}

/**
 * The routes as one Bolt middleware. Bolt's own listeners each run a chain of their own for every
 * payload, whatever it is: thirty of them take longer than verifying, storing and answering
 * a command together. Looking a name up takes nothing.
 */
export function route<Deps>(routes: SlackRoutes<Deps>, deps: Deps): Middleware<AnyMiddlewareArgs> {
  return async (args) => {
    if ("command" in args) await named(routes.commands, args.command.command)?.(deps, args)
    else if ("event" in args) await named(routes.events, args.event.type)?.(deps, args)
    else if ("shortcut" in args)
      await named(routes.shortcuts, args.shortcut.callback_id)?.(deps, args)
    else if ("view" in args) {
      if (args.body.type === "view_submission")
        await named(routes.views, args.view.callback_id)?.(deps, args)
    } else if ("action" in args) {
      const id = "action_id" in args.action ? args.action.action_id : ""
      await (named(routes.actions, id) ?? routes.otherAction)(deps, args)
    }
  }
}

/** Names come from outside: `constructor` is none of ours. */
function named<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
