/** A copy that shares no part with the original. */
export declare function copy<T>(value: T): T;
/** Whether two values say the same. */
export declare function same(one: unknown, other: unknown): boolean;
