/** Whether a body goes as it is. Everything else goes as JSON. */
export declare function isRaw(body: unknown): body is BodyInit;
