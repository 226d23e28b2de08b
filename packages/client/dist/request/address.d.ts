import type { Params, Query } from './options.js';
/** The whole address: prefix, path with its parameters filled in, query. */
export declare function address(prefix: string, path: string, params?: Params, query?: Query): string;
