/** The values of a form with files, as a browser sends them. Several values are sent one after the other under one name. */
export function formData(values: object): FormData {
  const body = new FormData()
  for (const [name, value] of Object.entries(values)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each === null || each === undefined) continue
      body.append(name, each instanceof Blob ? each : String(each))
    }
  }
  return body
}
