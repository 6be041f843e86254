/** Whether a debate is only read here: there is no server behind it that could go on with it. */
import { SHARED_VIEW } from "../share";

export const readOnly = (_id: string): boolean => Boolean(SHARED_VIEW);
