/** Whether passkeys can be used here: the browser knows them, and the page came over https or from localhost. */
export declare function supported(): boolean;
/** Whether passkeys can be offered in the autofill of a field. */
export declare function autofillSupported(): Promise<boolean>;
