// Font Awesome 4's code points, by what they stand for here. The icon font is merged into the others.
#pragma once

namespace pivotscope::viz::icon {

// Transport.
inline constexpr const char* first = "\uF048";
inline constexpr const char* back = "\uF053";
inline constexpr const char* play = "\uF04B";
inline constexpr const char* pause = "\uF04C";
inline constexpr const char* forward = "\uF054";
inline constexpr const char* last = "\uF051";
// Marks.
inline constexpr const char* check = "\uF00C";
inline constexpr const char* star = "\uF005";        // an answer
inline constexpr const char* star_empty = "\uF006";  // a miss
inline constexpr const char* left = "\uF060";
inline constexpr const char* right = "\uF061";
inline constexpr const char* file = "\uF0F6";
inline constexpr const char* folder = "\uF07B";
inline constexpr const char* above = "\uF062";
inline constexpr const char* warning = "\uF071";
inline constexpr const char* info = "\uF05A";
inline constexpr const char* doubt = "\uF059";        // a step cannot tell
inline constexpr const char* pencil = "\uF040";       // written
inline constexpr const char* fold_open = "\uF107";    // an angle down
inline constexpr const char* fold_closed = "\uF105";  // to the right
inline constexpr const char* pin = "\uF08D";          // in scratch
// Deeds.
inline constexpr const char* copy = "\uF0C5";
inline constexpr const char* paste = "\uF0EA";
inline constexpr const char* cross = "\uF00D";
inline constexpr const char* search = "\uF002";
inline constexpr const char* follow = "\uF05B";  // a cross of hairs
inline constexpr const char* fit = "\uF07E";
inline constexpr const char* dice = "\uF074";
inline constexpr const char* stop = "\uF04D";
inline constexpr const char* again = "\uF01E";
inline constexpr const char* gauge = "\uF0E4";
inline constexpr const char* camera = "\uF030";
inline constexpr const char* shield = "\uF132";
inline constexpr const char* undo = "\uF0E2";
// Places.
inline constexpr const char* chip = "\uF2DB";
inline constexpr const char* moon = "\uF186";
inline constexpr const char* sun = "\uF185";
inline constexpr const char* columns = "\uF0DB";
inline constexpr const char* list = "\uF03A";
inline constexpr const char* keyboard = "\uF11C";
inline constexpr const char* learn = "\uF19D";
inline constexpr const char* tune = "\uF1DE";
inline constexpr const char* compare = "\uF24E";  // scales
inline constexpr const char* tree = "\uF0E8";
inline constexpr const char* database = "\uF1C0";
inline constexpr const char* clock = "\uF017";

}  // namespace pivotscope::viz::icon
