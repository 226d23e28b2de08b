/** More telling names first: nearly every browser also says it is Safari or Chrome. */
const BROWSERS: [RegExp, string][] = [
  [/Edg/, 'Edge'],
  [/OPR|Opera/, 'Opera'],
  [/SamsungBrowser/, 'Samsung Internet'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrome|Chromium|CriOS/, 'Chrome'],
  [/Safari/, 'Safari'],
]

const SYSTEMS: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/CrOS/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Mac/, 'Mac'],
  [/Linux|X11/, 'Linux'],
]

/** A name for a passkey that a person recognises in a list: "Firefox on Windows". */
export function deviceName(userAgent: string = navigator.userAgent): string {
  const named = (list: [RegExp, string][]) => list.find(([mark]) => mark.test(userAgent))?.[1]
  const parts = [named(BROWSERS), named(SYSTEMS)].filter(Boolean)
  return parts.join(' on ') || 'Passkey'
}
