/** Personal data in the replies; a client's parser must not let any of it through. */
export const CANARIES = {
  response: "canary response of the assistant",
  email: "canary.asker@person.example",
  token: "sk_live_canary51H8x9Qb2ZrTvKp7WnYd",
  card: "4111 1111 1111 1111",
  phone: "+49 170 555 01 99",
  contact: "canary.contact@person.example",
  searched: "canary.searched@person.example",
} as const
