/** The German catalogue. A key that is missing here does not compile. */
import { words as doing } from "../doing";
import { words as evaluating } from "../evaluating";
import { replace } from "../language";
import { needed } from "../needed";
import { words as reading } from "../reading";
import { goOn, palette } from "../runs";
import { own } from "../settings";
import { starting } from "../starting";
import { words as verdict } from "../verdict";
import { words as doingDe } from "./doing";
import { words as evaluatingDe } from "./evaluating";
import { needed as neededDe } from "./needed";
import { words as readingDe } from "./reading";
import { goOn as goOnDe, palette as paletteDe } from "./runs";
import { own as ownDe } from "./settings";
import { starting as startingDe } from "./starting";
import { words as verdictDe } from "./verdict";

export function translate(): void {
  replace(doing, doingDe);
  replace(evaluating, evaluatingDe);
  replace(needed, neededDe);
  replace(reading, readingDe);
  replace(palette, paletteDe);
  replace(goOn, goOnDe);
  replace(own, ownDe);
  replace(starting, startingDe);
  replace(verdict, verdictDe);
}
