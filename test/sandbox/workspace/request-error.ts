/** Rejected request from the page; the message says what would be valid. */
export class RequestError extends Error {
  override name = "RequestError"
  readonly status: number

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}
