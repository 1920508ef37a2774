/** A request of the page that cannot be carried out; the message says what would be right. */
export class RequestError extends Error {
  override name = "RequestError"
  readonly status: number

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}
