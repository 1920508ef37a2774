const isPackage = import.meta.url.includes("/node_modules/docs-agent-for-slack/")

/**
 * Command that starts this bot, for hints: the package's, where it is installed as one, otherwise
 * that of a clone or a release archive.
 */
export const OWN_COMMAND = isPackage ? "npx docs-agent-for-slack" : "node dist/main.js"
/** The same with the settings in `.env`; Node reads the file earlier than the bot could. */
export const WITH_ENV_FILE = isPackage
  ? "npx docs-agent-for-slack --env-file=.env"
  : "node --env-file=.env dist/main.js"
