import type { Form, FormOptions } from './types.js';
/** How a framework learns of changes. */
export interface Binding {
    /** Makes the form something the framework watches. All changes go through what this returns. */
    watch: <T extends object>(form: T) => T;
    /** Called after a change, for frameworks that do not watch. */
    changed: () => void;
}
/** The form, without a framework. The adapters add how changes are seen and when it ends. */
export declare function createForm<Data extends object, Answer>(initial: Data, options: () => FormOptions<Data, Answer>, { watch, changed }: Binding): Form<Data, Answer>;
