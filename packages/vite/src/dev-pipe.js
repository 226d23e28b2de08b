let watching = false

/**
 * Ends this process when `housekey dev`, which started it, is gone. It holds the other end of our input for as long as it
 * lives; when it is killed, it can stop nobody, and a bundler would be left behind on its port.
 */
export function endWithHousekeyDev() {
  if (watching || !process.env['HOUSEKEY_DEV_PIPE']) return
  watching = true
  process.stdin.once('end', () => process.exit(0))
  process.stdin.resume()
  // Watching is no reason to stay: a server that was closed may end.
  process.stdin.unref()
}
