/** Whether this is built as one file to hand on; then pages that need a server are left out. */
declare const SHARED: boolean;
