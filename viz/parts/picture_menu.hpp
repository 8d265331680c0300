// Pictures of what is shown, asked for in menus; the window writes them (app/window/picture_taker.hpp).
#pragma once

#include "viz/state/view_state.hpp"

namespace pivotscope::viz {

void panel_menu(frame& f, panel which);  // of the right click on the panel's tab, behind its Begin()
void pictures_menu(frame& f);            // of the whole window and of every panel, in a menu that is open

}  // namespace pivotscope::viz
