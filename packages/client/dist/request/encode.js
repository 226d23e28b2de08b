/** Whether a body goes as it is. Everything else goes as JSON. */
export function isRaw(body) {
    return (typeof body == 'string' ||
        ArrayBuffer.isView(body) ||
        [FormData, Blob, URLSearchParams, ArrayBuffer].some((kind) => body instanceof kind));
}
